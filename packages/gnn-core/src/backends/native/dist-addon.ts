/** Native functions between ranks (native/binding/dist_binding.cc). */
export interface DistAddon {}
