import "@prisma/client";
