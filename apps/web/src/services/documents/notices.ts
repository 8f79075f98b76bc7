import { graphql } from "../graphql.ts";

/** GraphQL documents of notices and webhooks. */

export const noticesQuery = graphql(`
  query Notices($first: Int) {
    notices(first: $first) { unread items { number event message jobId sweepId at isRead } }
  }
`);

export const readNoticesMutation = graphql(`
  mutation ReadNotices($upTo: Int!) { readNotices(upTo: $upTo) { unread } }
`);

export const webhooksQuery = graphql(`
  query Webhooks { webhooks { id name url events } mailFrom }
`);

export const webhookDeliveriesQuery = graphql(`
  query WebhookDeliveries($webhook: ID!) {
    webhookDeliveries(webhook: $webhook) { id event state attempts status error durationMs createdAt dueAt }
  }
`);

export const createWebhookMutation = graphql(`
  mutation CreateWebhook($draft: WebhookInput!) {
    createWebhook(input: $draft) { secret webhook { id name } }
  }
`);

export const deleteWebhookMutation = graphql(`
  mutation DeleteWebhook($id: ID!) { deleteWebhook(id: $id) }
`);

export const testWebhookMutation = graphql(`
  mutation TestWebhook($id: ID!) { testWebhook(id: $id) { id state } }
`);
