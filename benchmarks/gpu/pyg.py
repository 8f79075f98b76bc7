"""Epochs of GraphSAGE 3 x 256 by PyG on a graph of ours, as epoch.ts trains it: a line of JSON for each.

    pyg.py --graph DIR [--batch 1024] [--fanouts 15,10,5] [--epochs 3] [--seconds 60]

Features and labels are on the GPU. Neighbours are sampled by PyG's NeighborLoader, which needs pyg-lib or torch-sparse;
without either nothing is run, and the line says so.
"""

import argparse
import json
import os
import time

parser = argparse.ArgumentParser()
parser.add_argument("--graph", required=True)
parser.add_argument("--batch", type=int, default=1024)
parser.add_argument("--fanouts", default="15,10,5")
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--seconds", type=float, default=60)
options = parser.parse_args()
end = time.perf_counter() + options.seconds


def tell(**figures):
    print(json.dumps(figures), flush=True)


def not_run(why):
    tell(notRun=why)
    raise SystemExit(0)


try:
    import numpy as np
    import torch
    import torch_geometric
    import torch_geometric.typing as found
    from torch_geometric.loader import NeighborLoader
    from torch_geometric.data import Data
    from torch_geometric.nn import SAGEConv
except ImportError as error:
    not_run(f"no PyG: {error}")
if not (found.WITH_PYG_LIB or found.WITH_TORCH_SPARSE):
    not_run("PyG has neither pyg-lib nor torch-sparse, which its NeighborLoader needs")

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Sage(torch.nn.Module):
    def __init__(self, in_dim, hidden, out_dim, num_layers):
        super().__init__()
        dims = [in_dim, *[hidden] * (num_layers - 1), out_dim]
        self.convs = torch.nn.ModuleList(SAGEConv(a, b) for a, b in zip(dims, dims[1:]))

    def forward(self, x, edge_index):
        for conv in self.convs[:-1]:
            x = torch.nn.functional.dropout(conv(x, edge_index).relu(), 0.5, self.training)
        return self.convs[-1](x, edge_index)


def load(name):
    return torch.from_numpy(np.load(os.path.join(options.graph, f"{name}.npy")))


with open(os.path.join(options.graph, "meta.json")) as file:
    meta = json.load(file)
indptr, src, features, labels, train = (load(name) for name in ("indptr", "indices", "feat", "label", "train_idx"))
dst = torch.repeat_interleave(torch.arange(meta["nodes"]), indptr.diff())
fanouts = [int(fanout) for fanout in options.fanouts.split(",")]
loader = NeighborLoader(
    Data(edge_index=torch.stack([src.long(), dst]), num_nodes=meta["nodes"]),
    num_neighbors=fanouts,
    input_nodes=train,
    batch_size=options.batch,
    shuffle=True,
    num_workers=min(12, os.cpu_count() or 1),
    persistent_workers=True,
)
features, labels = features.to(device), labels.to(device)
model = Sage(meta["features"], 256, meta["classes"], len(fanouts)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
tell(torch=torch.__version__, pyg=torch_geometric.__version__, device=str(device))

for epoch in range(options.epochs):
    start = time.perf_counter()
    num_batches, total = 0, torch.zeros((), device=device)
    for batch in loader:
        nodes = batch.n_id.to(device)
        out = model(features[nodes], batch.edge_index.to(device))[: batch.batch_size]
        loss = torch.nn.functional.cross_entropy(out, labels[nodes[: batch.batch_size]])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        num_batches += 1
        if time.perf_counter() > end:
            break
    mean = float(total) / num_batches  # waits for the device
    tell(epoch=epoch + 1, batches=num_batches, seconds=round(time.perf_counter() - start, 3), loss=round(mean, 4))
    if time.perf_counter() > end:
        break
