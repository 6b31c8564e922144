import { merged } from "./merged";

export default merged(
  import.meta.glob(["./{shell,checks,certificates}/ru.json", "@catalogue/{report,core}/ru.json"], {
    eager: true,
    import: "default",
  }),
);
