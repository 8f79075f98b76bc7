import { HopwiseClient } from "@hopwise/client";

/** The service that the page came from, asked with the session's cookie. */
export const api = new HopwiseClient();
