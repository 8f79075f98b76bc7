import type { Hdf5Array, Hdf5Field } from "./hdf5-messages.ts";
import {
  type Hdf5Cells,
  type Hdf5Column,
  type Hdf5Contents,
  type Hdf5Table,
  plainColumn,
  timeUnitOf,
  unfitColumn,
} from "./hdf5-table.ts";
import { namesInPickle } from "./pickled-names.ts";

/** What PyTables keeps of an index of rows, and pandas of the categories of a column */
const beside = /(^|\/)(_i_[^/]*|meta\/[^/]+\/meta)\//;

/**
 * The data sets whose elements are structures: structured arrays of h5py, tables of PyTables, and frames that pandas
 * has written as such (`format="table"`), in which a field is a list of values, one for each of the columns that its
 * attribute names.
 *
 * https://www.pytables.org/usersguide/file_format.html
 */
export function structuredTables({ arrays, groups }: Hdf5Contents): Hdf5Table[] {
  const tables = arrays.filter(({ path, fields, shape }) => fields && shape.length === 1 && !beside.test(path));
  return tables.map((array) => {
    const folder = array.path.replace(/\/?[^/]*$/, "");
    const ofPandas = groups.find(({ path }) => path === folder)?.attributes["pandas_type"] !== undefined;
    const columns: Hdf5Column[] = [];
    const notes: string[] = [];
    for (const field of array.fields ?? []) {
      const found = ofPandas ? columnsOfPandas(array, field, arrays, folder) : [columnOf(array, field)];
      for (const column of found) {
        const objection = unfitColumn(column);
        if (objection === null) columns.push(column);
        else notes.push(`the column ${column.name} of ${array.path} is left out: ${objection}.`);
      }
    }
    return { path: ofPandas ? folder : array.path, numRows: array.shape[0] ?? 0, columns, notes };
  });
}

function columnOf(array: Hdf5Array, { name, ...place }: Hdf5Field): Hdf5Column {
  return plainColumn(name, { array, ...place });
}

function columnsOfPandas(
  array: Hdf5Array,
  field: Hdf5Field,
  arrays: readonly Hdf5Array[],
  folder: string,
): Hdf5Column[] {
  const { attributes } = array;
  // Rows that nobody has named are counted.
  if (field.name === "index" && attributes["index_kind"]?.[0] === "integer") return [];
  const names = namesInPickle(attributes[`${field.name}_kind`]?.[0]) ?? [field.name];
  const time = timeUnitOf(attributes[field.name === "index" ? "index_kind" : `${field.name}_dtype`]?.[0]);
  const isCategory = attributes[`${field.name}_meta`]?.[0] === "category";
  const categories = isCategory ? categoriesOf(arrays, `${folder}/meta/${field.name}/meta/table`) : null;
  return names.map((name, i) => {
    const offset = field.offset + i * field.itemBytes;
    return { ...columnOf(array, { ...field, name, offset, length: null }), categories, missing: "nan", time };
  });
}

function categoriesOf(arrays: readonly Hdf5Array[], path: string): Hdf5Cells | null {
  const array = arrays.find((one) => one.path === path);
  const field = array?.fields?.find(({ name }) => name === "values");
  return array && field ? { array, ...field } : null;
}
