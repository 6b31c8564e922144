import { merged } from "../merged";

export default merged(
  import.meta.glob(
    [
      "../{administration,classes,home,library,links}/en.json",
      "@catalogue/{reading,corpus,library,internet,server}/en.json",
    ],
    { eager: true, import: "default" },
  ),
);
