import "@hopwise/gnn-core";
