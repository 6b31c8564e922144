import { merged } from "../merged";

export default merged(
  import.meta.glob(
    [
      "../{administration,classes,courses,home,library,links,privacy,submissions}/kk.json",
      "@catalogue/{reading,corpus,library,internet,server}/kk.json",
    ],
    { eager: true, import: "default" },
  ),
);
