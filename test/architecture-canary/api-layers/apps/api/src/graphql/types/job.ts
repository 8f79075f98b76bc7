export type Planted = 1;
