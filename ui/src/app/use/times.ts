// Days and times where the reader is: the server tells all of them for Greenwich.

import { computed, type ComputedRef } from "vue";

import { useWords } from "../../words";

export interface Times {
  day: (iso: string) => string; // "15 November 2026"
  brief: (iso: string) => string; // the same in figures, for tables
  dateTime: (iso: string) => string; // with the time
  stamp: (iso: string) => string; // with the time, in figures
  clock: (iso: string) => string; // the time alone, with seconds
}

/** Times of the server as a reader of this page would say them. */
export function useTimes(): ComputedRef<Times> {
  const words = useWords();
  const brief = (iso: string) => {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(here(iso)) ?? [];
    return year ? words.value.say("date.brief", { year, month: month!, day: day! }) : iso;
  };
  const clock = (iso: string) => here(iso).slice(11, 16);
  return computed(() => ({
    brief,
    day: (iso) => words.value.day(here(iso)),
    dateTime: (iso) => `${words.value.day(here(iso))}, ${clock(iso)}`,
    stamp: (iso) => `${brief(iso)}, ${clock(iso)}`,
    clock: (iso) => here(iso).slice(11, 19),
  }));
}

/** The times at which a day of the calendar begins and ends here. */
export function endsOf(day: string): { first: string; last: string } {
  const instant = (time: string) => new Date(`${day}T${time}`).toISOString();
  return { first: instant("00:00:00.000"), last: instant("23:59:59.999") };
}

/** A time as ISO 8601 would write it with this clock. */
function here(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return new Date(time.getTime() - 60_000 * time.getTimezoneOffset())
    .toISOString()
    .slice(0, 19);
}
