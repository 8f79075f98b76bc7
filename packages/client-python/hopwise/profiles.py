"""Where the service is, and the key for it: from the environment, or as `hopwise login` keeps them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import urlsplit

from .errors import HopwiseError


def url_and_key(url: str | None, key: str | None, profile: str | None) -> tuple[str, str]:
    """
    What is given goes before HOPWISE_URL and HOPWISE_API_KEY, these before the profile. A key of a profile is for the
    service that it was kept with: another address does not get to see it.
    """
    name = profile or os.environ.get("HOPWISE_PROFILE") or "default"
    kept = _profiles().get(name, {})
    url = url or os.environ.get("HOPWISE_URL") or kept.get("url")
    if not url:
        raise HopwiseError(f'There is no address: give url, set HOPWISE_URL, or log in as "{name}" by hopwise login.')
    kept_key = kept.get("key") if _origin(url) == _origin(kept.get("url")) else None
    key = key or os.environ.get("HOPWISE_API_KEY") or kept_key
    if not key:
        raise HopwiseError(f"There is no key for {url}: give key, set HOPWISE_API_KEY, or use hopwise login.")
    return url, key.strip()


def _profiles() -> dict[str, dict[str, str]]:
    settings = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    path = Path(os.environ.get("HOPWISE_CONFIG") or Path(settings) / "hopwise" / "config.json")
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    except ValueError as cause:
        raise HopwiseError(f"{path} is no file of profiles; remove it and log in again by hopwise login.") from cause
    return found if isinstance(found, dict) else {}


def _origin(url: str | None) -> tuple[str, str | None, int | None] | None:
    if not url:
        return None
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
