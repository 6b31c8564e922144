import { merged } from "../merged";

export default merged(
  import.meta.glob(
    [
      "../{administration,classes,courses,home,library,links,privacy,submissions}/en.json",
      "@catalogue/{reading,corpus,library,internet,server}/en.json",
    ],
    { eager: true, import: "default" },
  ),
);
