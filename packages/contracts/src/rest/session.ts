import { z } from "zod";
import { route } from "./route.ts";

const tag = "session";

export const sessionRoutes = {
  signIn: route({
    method: "POST",
    path: "/v1/session",
    tag,
    summary: "Opens a session with the token of a sign-in link",
    access: "open",
    body: z.strictObject({ token: z.string().min(1).max(200).describe("From the sign-in link") }),
    answers: { 204: { description: "The session's cookie is set" } },
    problems: ["AUTH_INVALID", "AUTH_ORIGIN"],
  }),
  signOut: route({
    method: "DELETE",
    path: "/v1/session",
    tag,
    summary: "Ends the session",
    answers: { 204: { description: "The session has ended, and its cookie is taken away" } },
  }),
  createSignInLink: route({
    method: "POST",
    path: "/v1/sign-in-links",
    tag,
    summary: "Makes a sign-in link that is good once, as an admin whose key is bound to no project",
    answers: { 201: z.object({ url: z.string() }).meta({ id: "SignInLink" }) },
  }),
};
