import "../backends/native/native-kernel.ts";
