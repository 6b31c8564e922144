declare module "virtual:colours.css";
declare module "@gallery/view.json"; // made by gallery.py
