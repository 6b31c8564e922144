import { merged } from "../merged";

export default merged(
  import.meta.glob(
    [
      "../{administration,classes,courses,home,library,links,privacy,submissions}/ru.json",
      "@catalogue/{reading,corpus,library,internet,server}/ru.json",
    ],
    { eager: true, import: "default" },
  ),
);
