import { Link } from "@tanstack/react-router";
import { type JobTab, jobTabs } from "../../services/job-tabs.ts";
import classes from "./JobTabs.module.css";

interface JobTabsProps {
  readonly jobId: string;
  readonly current: JobTab;
  /** Views that have something to show */
  readonly offered: readonly JobTab[];
}

/** The views of a job as links: each has an address, opens in a tab of its own, and Back leads to the one before. */
export function JobTabs({ jobId, current, offered }: JobTabsProps) {
  return (
    <nav className={classes.tabs} aria-label="Views of the job">
      {jobTabs
        .filter(({ name }) => offered.includes(name) || name === current)
        .map(({ name, title }) => (
          <Link
            key={name}
            className={classes.tab}
            to="/jobs/$jobId"
            params={{ jobId }}
            search={name === "overview" ? {} : { tab: name }}
            activeOptions={{ exact: true, includeSearch: true }}
            resetScroll={false}
          >
            {title}
          </Link>
        ))}
    </nav>
  );
}
