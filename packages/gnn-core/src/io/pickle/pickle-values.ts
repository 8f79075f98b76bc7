/** What a pickle holds, as plain data: nothing of it is ever run. */
export type PickleValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly PickleValue[]
  | PickleDict
  | PickleGlobal
  | PickleObject;

/** A dict, or the items of an object that is one; keys that are numbers or texts are all that is looked up. */
export class PickleDict {
  readonly items = new Map<PickleValue, PickleValue>();
}

/** A class or function by its name, which is only compared. */
export class PickleGlobal {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** What Python would make by calling `made` with `args`, then giving it `state` and `items`. */
export class PickleObject {
  readonly made: string;
  readonly args: readonly PickleValue[];
  state: PickleValue = null;
  readonly items = new PickleDict();
  readonly list: PickleValue[] = [];

  constructor(made: string, args: readonly PickleValue[]) {
    this.made = made;
    this.args = args;
  }
}
