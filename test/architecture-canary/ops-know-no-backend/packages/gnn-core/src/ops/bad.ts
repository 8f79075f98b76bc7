import "../backends/native/addon.ts";
