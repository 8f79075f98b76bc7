import { graphql } from "../graphql.ts";

/** GraphQL documents of projects, their limits and what they used. */

export const projectUseQuery = graphql(`
  query ProjectUse($since: DateTime, $until: DateTime) {
    projectUse(from: $since, to: $until) {
      from
      to
      prices { currency perRankHour perDeviceHour }
      items {
        projectId name rankHours deviceHours cost heldSlots heldDevices waitingJobs monthRankHours
      }
    }
    projects { id name limits { slots devices waitingJobs monthlyRankHours } }
  }
`);

export const setProjectLimitsMutation = graphql(`
  mutation SetProjectLimits($id: ID!, $limits: ProjectLimitsInput!) {
    setProjectLimits(id: $id, limits: $limits) { id limits { slots devices waitingJobs monthlyRankHours } }
  }
`);

export const setPricesMutation = graphql(`
  mutation SetPrices($prices: PricesInput!) { setPrices(prices: $prices) { currency } }
`);

export const removePricesMutation = graphql(`
  mutation RemovePrices { removePrices }
`);
