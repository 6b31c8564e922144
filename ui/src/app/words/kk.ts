import { merged } from "./merged";

export default merged(
  import.meta.glob(
    ["./*/kk.json", "@catalogue/{report,core,reading,corpus,library,internet,server}/kk.json"],
    { eager: true, import: "default" },
  ),
);
