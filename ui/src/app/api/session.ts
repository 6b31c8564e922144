// Who is logged in, and what that person may do.

import { computed, ref } from "vue";

import { ask } from "./client";
import type { Me } from "./shapes";
import * as tokens from "./token";

export type { Me };

export const me = ref<Me | null>(null);
export const isAdministrator = computed(() => me.value?.role === "administrator");
export const isStudent = computed(() => me.value?.role === "student");

export async function loadMe(): Promise<Me> {
  me.value = await ask<Me>("/me");
  return me.value;
}

export async function logIn(name: string, password: string, code?: string): Promise<Me> {
  await tokens.logIn(name, password, code);
  return loadMe();
}

/** The language follows a person to other browsers; that it could not be kept is no matter. */
export async function keepMyLanguage(language: NonNullable<Me["language"]>): Promise<void> {
  if (!me.value || me.value.must_change || me.value.language === language) return;
  try {
    me.value = await ask<Me>("/me", { method: "PATCH", body: { language } });
  } catch {
    // this browser remembers it
  }
}

/** Where to log out elsewhere too, if somebody else vouched for the session. */
export async function logOut(): Promise<string | null> {
  const address = await tokens.logOut();
  me.value = null;
  return address;
}
