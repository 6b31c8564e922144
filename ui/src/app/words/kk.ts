import { merged } from "./merged";

export default merged(
  import.meta.glob(["./{shell,checks,certificates}/kk.json", "@catalogue/{report,core}/kk.json"], {
    eager: true,
    import: "default",
  }),
);
