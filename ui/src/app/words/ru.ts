import { merged } from "./merged";

export default merged(
  import.meta.glob(
    ["./*/ru.json", "@catalogue/{report,core,reading,corpus,library,internet,server}/ru.json"],
    { eager: true, import: "default" },
  ),
);
