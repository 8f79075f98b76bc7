/** Native functions over graphs: partitioning, sampling, feature rows (native/binding for those areas). */
export interface GraphAddon {}
