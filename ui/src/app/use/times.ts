// Days and times where the reader is: the server tells all of them for Greenwich.

import { computed, type ComputedRef } from "vue";

import { localTime, useWords } from "../../words";

export interface Times {
  day: (iso: string) => string; // "15 November 2026"
  brief: (iso: string) => string; // the same in figures, for tables
  dateTime: (iso: string) => string; // with the time
  stamp: (iso: string) => string; // with the time, in figures
  clock: (iso: string) => string; // the time alone, with seconds
  exact: (iso: string) => string; // with the time and its zone, for whoever points at it
}

/** Times of the server as a reader of this page would say them. */
export function useTimes(): ComputedRef<Times> {
  const words = useWords();
  const brief = (iso: string) => {
    const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(localTime(iso)) ?? [];
    return year ? words.value.say("date.brief", { year, month: month!, day: day! }) : iso;
  };
  const clock = (iso: string) => localTime(iso).slice(11, 16);
  return computed(() => ({
    brief,
    day: (iso) => words.value.day(localTime(iso)),
    dateTime: (iso) => `${words.value.day(localTime(iso))}, ${clock(iso)}`,
    stamp: (iso) => `${brief(iso)}, ${clock(iso)}`,
    clock: (iso) => localTime(iso).slice(11, 19),
    exact: (iso) => words.value.dateTime(iso),
  }));
}

/** The zone of the browser's clock; some browsers tell a made-up one where they tell nobody. */
export function timeZone(): string | undefined {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || undefined;
}

/** The times at which a day of the calendar begins and ends here. */
export function endsOf(day: string): { first: string; last: string } {
  const instant = (time: string) => new Date(`${day}T${time}`).toISOString();
  return { first: instant("00:00:00.000"), last: instant("23:59:59.999") };
}
