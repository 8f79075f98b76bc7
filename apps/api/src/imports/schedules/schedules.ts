import type { LeaderWork } from "../../leader/leader-work.ts";
import { LeadershipLost } from "../../leader/leadership.ts";
import { OneByOne } from "../../leader/one-by-one.ts";
import type { Logger } from "../../logger.ts";
import type { Services } from "../../services.ts";
import { type Leader, ScheduleLook } from "./schedule-look.ts";

const everyMs = 1000;

/**
 * Starts the runs of schedules, and writes down what came of them. A run is an import, and as such fetched by any
 * process of the API. What was decided is in the database in one transaction with the import, and with the election
 * checked: two leaders start no run twice, and a time that nobody was there for is made up for once.
 */
export class Schedules implements LeaderWork {
  readonly #log: Pick<Logger, "error" | "warn">;
  readonly #oneByOne: OneByOne;
  #services: Services | null = null;
  #running: Promise<void> | null = null;
  #lookedAt = 0;

  constructor(log: Pick<Logger, "error" | "warn">) {
    this.#log = log;
    this.#oneByOne = new OneByOne(log, "scheduleId");
  }

  /** From here on there is what runs work with. */
  open(services: Services): this {
    this.#services = services;
    return this;
  }

  startIfDue(leader: Leader): void {
    const now = performance.now();
    if (this.#running || this.#services === null || (this.#lookedAt > 0 && now < this.#lookedAt + everyMs)) return;
    this.#lookedAt = now;
    this.#running = this.run(leader, new Date())
      .catch((err: unknown) => {
        if (!(err instanceof LeadershipLost)) this.#log.warn({ err }, "a look at the schedules was cut short");
      })
      .finally(() => {
        this.#running = null;
      });
  }

  async settle(): Promise<void> {
    await this.#running;
  }

  /**
   * Looks at all schedules once.
   *
   * @param now  what times are held against
   * @throws LeadershipLost when another process has been elected; nothing is written then
   */
  async run(leader: Leader, now: Date): Promise<void> {
    if (this.#services === null) return;
    const look = new ScheduleLook(this.#services, leader, now);
    const found = await this.#services.prisma.importSchedule.findMany({
      where: {
        OR: [
          { runId: { not: null } },
          { state: "ACTIVE", nextAt: { lte: now } },
          { dataset: { deletedAt: { not: null } } },
        ],
      },
      include: { dataset: { select: { deletedAt: true } } },
      orderBy: [{ nextAt: "asc" }, { id: "asc" }],
    });
    await this.#oneByOne.act(found, (one) => look.advance(one, one.dataset.deletedAt !== null));
  }
}
