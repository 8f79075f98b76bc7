import { useEffect } from "react";

const selector = 'link[rel="icon"]';

/** Shows an icon in the browser's tab for as long as the page is there. */
export function useTabIcon(icon: string): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>(selector);
    if (!link) return undefined;
    const own = link.href;
    link.href = icon;
    return () => {
      link.href = own;
    };
  }, [icon]);
}
