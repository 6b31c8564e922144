import { merged } from "./merged";

export default merged(
  import.meta.glob(
    ["./*/en.json", "@catalogue/{report,core,reading,corpus,library,internet,server}/en.json"],
    { eager: true, import: "default" },
  ),
);
