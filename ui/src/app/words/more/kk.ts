import { merged } from "../merged";

export default merged(
  import.meta.glob(
    [
      "../{administration,classes,courses,home,library,links,submissions}/kk.json",
      "@catalogue/{reading,corpus,library,internet,server}/kk.json",
    ],
    { eager: true, import: "default" },
  ),
);
