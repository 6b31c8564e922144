import { merged } from "./merged";

export default merged(
  import.meta.glob(["./{shell,checks,certificates}/en.json", "@catalogue/{report,core}/en.json"], {
    eager: true,
    import: "default",
  }),
);
