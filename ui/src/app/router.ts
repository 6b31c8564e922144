// Which page is shown at which address; each is loaded when it is first opened.

import {
  createRouter,
  createWebHistory,
  type RouteLocationNormalized,
  type RouteRecordRaw,
} from "vue-router";

import { askAhead } from "./api/client";
import { firstQuestions } from "./api/early";
import { isAdministrator, isStudent, loadMe, me } from "./api/session";
import { state } from "./api/token";
import { followHistory, longEnough } from "./use/place";

declare module "vue-router" {
  interface RouteMeta {
    title: string; // its key in the catalogue
    isOpen?: boolean; // without logging in
    isForAdministrators?: boolean;
    isForStudents?: boolean; // for them too: all other pages are for teachers
  }
}

const routes: RouteRecordRaw[] = [
  {
    path: "/login",
    name: "login",
    component: () => import("./pages/LogIn.vue"),
    meta: { title: "login.title", isOpen: true },
  },
  {
    path: "/login/:provider",
    name: "login-return",
    component: () => import("./pages/LogInReturn.vue"),
    meta: { title: "login.title", isOpen: true },
  },
  {
    path: "/forgotten",
    name: "forgotten",
    component: () => import("./pages/ForgottenPassword.vue"),
    meta: { title: "forgotten.title", isOpen: true },
  },
  {
    path: "/new-password",
    name: "new-password",
    component: () => import("./pages/NewPassword.vue"),
    meta: { title: "newpassword.title", isOpen: true },
  },
  {
    path: "/certificates/:code?",
    name: "certificate",
    component: () => import("./pages/VerifyCertificate.vue"),
    meta: { title: "verify.title", isOpen: true },
  },
  {
    path: "/shared",
    name: "shared",
    component: () => import("./pages/links/SharedReport.vue"),
    meta: { title: "shared.title", isOpen: true },
  },
  {
    path: "/",
    name: "home",
    component: () => import("./pages/Home.vue"),
    meta: { title: "home.title" },
  },
  {
    path: "/",
    name: "student-home", // where the one above leads students
    component: () => import("./pages/student/StudentHome.vue"),
    meta: { title: "home.title", isForStudents: true },
  },
  {
    path: "/library",
    name: "library",
    component: () => import("./pages/library/Library.vue"),
    meta: { title: "library.title" },
  },
  {
    path: "/library/add",
    name: "add",
    component: () => import("./pages/library/AddDocuments.vue"),
    meta: { title: "add.title" },
  },
  {
    path: "/library/collections",
    name: "collections",
    component: () => import("./pages/library/Collections.vue"),
    meta: { title: "collections.title" },
  },
  {
    path: "/library/duplicates",
    name: "duplicates",
    component: () => import("./pages/library/Duplicates.vue"),
    meta: { title: "duplicates.title" },
  },
  {
    path: "/library/similar",
    name: "similar",
    component: () => import("./pages/library/Similar.vue"),
    meta: { title: "similar.title" },
  },
  {
    path: "/documents/:id(\\d+)",
    name: "document",
    component: () => import("./pages/library/Document.vue"),
    meta: { title: "document.title" },
  },
  {
    path: "/checks",
    name: "checks",
    component: () => import("./pages/checks/Checks.vue"),
    meta: { title: "checks.title" },
  },
  {
    path: "/checks/new",
    name: "check",
    component: () => import("./pages/checks/NewCheck.vue"),
    meta: { title: "check.title" },
  },
  {
    path: "/checks/:id",
    name: "checked",
    component: () => import("./pages/checks/Check.vue"),
    meta: { title: "checked.title" },
  },
  {
    path: "/classes",
    name: "classes",
    component: () => import("./pages/classes/Classes.vue"),
    meta: { title: "classes.title" },
  },
  {
    path: "/classes/new",
    name: "class-new",
    component: () => import("./pages/classes/NewClass.vue"),
    meta: { title: "class.new.title" },
  },
  {
    path: "/classes/:id",
    name: "class",
    component: () => import("./pages/classes/Class.vue"),
    meta: { title: "class.title" },
  },
  {
    path: "/courses",
    name: "courses",
    component: () => import("./pages/courses/Courses.vue"),
    meta: { title: "courses.title", isForStudents: true },
  },
  {
    path: "/courses/:id/new",
    name: "assignment-new",
    component: () => import("./pages/assignments/AssignmentForm.vue"),
    meta: { title: "assignments.new" },
  },
  {
    path: "/courses/:id",
    component: () => import("./pages/courses/Course.vue"),
    meta: { title: "course.title" },
    children: [
      {
        path: "",
        name: "course",
        component: () => import("./pages/courses/CourseAssignments.vue"),
        meta: { title: "course.title", isForStudents: true },
      },
      {
        path: "members",
        name: "members",
        component: () => import("./pages/courses/CourseMembers.vue"),
        meta: { title: "members.title" },
      },
    ],
  },
  {
    path: "/assignments/:id",
    name: "assignment",
    component: () => import("./pages/assignments/Assignment.vue"),
    meta: { title: "assignment.title", isForStudents: true },
  },
  {
    path: "/assignments/:id/hand-in",
    name: "hand-in",
    component: () => import("./pages/student/HandIn.vue"),
    meta: { title: "own.hand_in", isForStudents: true },
  },
  {
    path: "/assignments/:id/self-checks",
    name: "self-checks",
    component: () => import("./pages/student/SelfChecks.vue"),
    meta: { title: "selfcheck.title", isForStudents: true },
  },
  {
    path: "/self-checks/:id",
    name: "self-check",
    component: () => import("./pages/student/SelfCheck.vue"),
    meta: { title: "selfcheck.result", isForStudents: true },
  },
  {
    path: "/submissions",
    name: "submissions",
    component: () => import("./pages/student/OwnSubmissions.vue"),
    meta: { title: "own.title", isForStudents: true },
  },
  {
    path: "/submissions/:id",
    name: "receipt",
    component: () => import("./pages/student/Receipt.vue"),
    meta: { title: "receipt.title", isForStudents: true },
  },
  {
    path: "/submissions/:id/report",
    name: "own-report",
    component: () => import("./pages/student/OwnReport.vue"),
    meta: { title: "ownreport.title", isForStudents: true },
  },
  {
    path: "/assignments/:id/class",
    name: "assignment-class",
    component: () => import("./pages/assignments/AssignmentClass.vue"),
    meta: { title: "assignment.class" },
  },
  {
    path: "/assignments/:id/change",
    name: "assignment-change",
    component: () => import("./pages/assignments/AssignmentForm.vue"),
    meta: { title: "assignment.change" },
  },
  {
    path: "/assignments/:id/add",
    name: "hand-in-files",
    component: () => import("./pages/assignments/HandInFiles.vue"),
    meta: { title: "handin.title" },
  },
  {
    path: "/students",
    name: "students",
    component: () => import("./pages/courses/Students.vue"),
    meta: { title: "students.title" },
  },
  {
    path: "/students/:id",
    name: "student",
    component: () => import("./pages/courses/StudentHistory.vue"),
    meta: { title: "students.history" },
  },
  {
    path: "/profile",
    name: "profile",
    component: () => import("./pages/Profile.vue"),
    meta: { title: "profile.title", isForStudents: true },
  },
  {
    path: "/profile/data",
    name: "my-data",
    component: () => import("./pages/profile/MyData.vue"),
    meta: { title: "mydata.title", isForStudents: true },
  },
  {
    path: "/retention",
    name: "retention",
    component: () => import("./pages/retention/Retention.vue"),
    meta: { title: "retention.title" },
  },
  {
    path: "/administration",
    component: () => import("./pages/administration/Administration.vue"),
    meta: { title: "administration.title", isForAdministrators: true },
    children: [
      { path: "", name: "administration", redirect: { name: "users" } },
      {
        path: "users",
        name: "users",
        component: () => import("./pages/administration/Users.vue"),
        meta: { title: "users.title", isForAdministrators: true },
      },
      {
        path: "login",
        name: "login-providers",
        component: () => import("./pages/administration/LoginProviders.vue"),
        meta: { title: "loginproviders.title", isForAdministrators: true },
      },
      {
        path: "stop-words",
        name: "stop-words",
        component: () => import("./pages/administration/StopWords.vue"),
        meta: { title: "stopwords.title", isForAdministrators: true },
      },
      {
        path: "recipe",
        name: "recipe",
        component: () => import("./pages/administration/Recipe.vue"),
        meta: { title: "recipe.title", isForAdministrators: true },
      },
      {
        path: "types",
        name: "types",
        component: () => import("./pages/administration/Types.vue"),
        meta: { title: "types.title", isForAdministrators: true },
      },
      {
        path: "jobs",
        name: "jobs",
        component: () => import("./pages/administration/Jobs.vue"),
        meta: { title: "jobs.title", isForAdministrators: true },
      },
      {
        path: "settings",
        name: "settings",
        component: () => import("./pages/administration/Settings.vue"),
        meta: { title: "settings.title", isForAdministrators: true },
      },
      {
        path: "internet",
        name: "internet",
        component: () => import("./pages/administration/Internet.vue"),
        meta: { title: "providers.title", isForAdministrators: true },
      },
      {
        path: "erasures",
        name: "erasures",
        component: () => import("./pages/administration/Erasures.vue"),
        meta: { title: "erasures.title", isForAdministrators: true },
      },
      {
        path: "consent",
        name: "consent",
        component: () => import("./pages/administration/Consent.vue"),
        meta: { title: "consent.title", isForAdministrators: true },
      },
      {
        path: "statistics",
        name: "statistics",
        component: () => import("./pages/administration/Statistics.vue"),
        meta: { title: "statistics.title", isForAdministrators: true },
      },
      {
        path: "retention",
        name: "all-retention",
        component: () => import("./pages/retention/Retention.vue"),
        meta: { title: "retention.title", isForAdministrators: true },
      },
      {
        path: "mail",
        name: "mail",
        component: () => import("./pages/administration/Mail.vue"),
        meta: { title: "mail.title", isForAdministrators: true },
      },
      {
        path: "audit",
        name: "audit",
        component: () => import("./pages/administration/Audit.vue"),
        meta: { title: "audit.title", isForAdministrators: true },
      },
    ],
  },
  {
    path: "/:rest(.*)*",
    name: "missing",
    component: () => import("./pages/NotFound.vue"),
    meta: { title: "missing.title", isOpen: true },
  },
  {
    path: "/:rest(.*)*",
    name: "not-for-students", // where pages for teachers lead students
    component: () => import("./pages/student/NotForStudents.vue"),
    meta: { title: "notforstudents.title", isForStudents: true },
  },
];

export const router = createRouter({
  history: createWebHistory(),
  routes,
  scrollBehavior: async (to, from, saved) => {
    if (saved) await longEnough(saved.top); // what the page shows is on its way
    return saved ?? (to.path === from.path ? false : { top: 0 });
  },
});
followHistory(router);

router.beforeEach(async (to, from) => {
  if (to.path !== from.path) loadAhead(to);
  if (to.meta.isOpen && to.name !== "missing") return true;
  if (!me.value) {
    // Nobody is logged in, or nobody knows yet: the cookie tells.
    const account = await Promise.race([loadMe(), loggedOut()]);
    if (!account && to.name === "missing") return true;
    if (!account) return { name: "login", query: to.fullPath === "/" ? {} : { to: to.fullPath } };
  }
  if (me.value?.must_change && to.name !== "profile")
    return { name: "profile", query: to.fullPath === "/" ? {} : { to: to.fullPath } };
  if (to.name === "student-home" && !isStudent.value) return { name: "home" };
  if (isStudent.value && !to.meta.isForStudents && to.name !== "missing")
    return to.name === "home" ? { name: "student-home" } : elsewhere("not-for-students", to);
  if (to.meta.isForAdministrators && !isAdministrator.value) return elsewhere("missing", to);
  return true;
});

/** Another page at the address that was asked for. */
const elsewhere = (name: string, { path, query, hash }: RouteLocationNormalized) => ({
  name,
  params: { rest: path.slice(1).split("/") },
  query,
  hash,
});

/** Asks for the scripts and the data of a page while it is still found out who asks. */
function loadAhead(to: RouteLocationNormalized): void {
  for (const path of firstQuestions(to.path)) askAhead(path);
  if (isStudent.value && !to.meta.isForStudents) return; // it leads elsewhere
  for (const { components } of to.matched) {
    const page: unknown = components?.default;
    // What cannot be loaded is told when the page is opened.
    if (typeof page === "function") (page as () => Promise<unknown>)().catch(() => undefined);
  }
}

/** Comes when it turns out that nobody is logged in. */
function loggedOut(): Promise<null> {
  return new Promise((resolve) => {
    const look = () => {
      if (state.value === "out") resolve(null);
      else if (state.value === "unknown") setTimeout(look, 20);
    };
    look();
  });
}
