"""Epochs of GraphSAGE 3 x 256 by PyG on a graph of ours, as epoch.ts trains it: a line of JSON for each.

    pyg.py --graph DIR [--batch 1024] [--fanouts 15,10,5] [--epochs 3] [--seconds 60]

Features and labels are on the GPU. Neighbours are sampled by PyG's NeighborLoader where there is pyg-lib or torch-sparse,
which it needs; else by torch on the GPU, and the first line says which.
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
fanouts = [int(fanout) for fanout in options.fanouts.split(",")]
features, labels = features.to(device), labels.long().to(device)


def batches_of_pyg():
    """A function that yields the batches of an epoch: nodes, edges between their rows, and the rows of the seeds."""
    dst = torch.repeat_interleave(torch.arange(meta["nodes"]), indptr.diff())
    loader = NeighborLoader(
        Data(edge_index=torch.stack([src.long(), dst]), num_nodes=meta["nodes"]),
        num_neighbors=fanouts,
        input_nodes=train,
        batch_size=options.batch,
        shuffle=True,
        num_workers=min(12, os.cpu_count() or 1),
        persistent_workers=True,
    )

    def batches():
        for batch in loader:
            rows = torch.arange(batch.batch_size, device=device)
            yield batch.n_id.to(device), batch.edge_index.to(device), rows

    return batches


def batches_of_torch():
    """As batches_of_pyg(). A neighbour may be drawn more than once, so that batches are, if anything, smaller."""
    starts, neighbours, seeds_of_all = indptr.to(device), src.to(device), train.to(device)

    def drawn(nodes, fanout):
        begin, degree = starts[nodes], starts[nodes + 1] - starts[nodes]
        offset = (torch.rand(len(nodes), fanout, device=device) * degree[:, None]).long()
        offset = torch.minimum(offset, (degree - 1).clamp(min=0)[:, None])
        is_edge = (degree > 0)[:, None].expand_as(offset)
        ends = nodes[:, None].expand_as(offset)[is_edge]
        return torch.stack([neighbours[(begin[:, None] + offset)[is_edge]].long(), ends])

    def batches():
        order = torch.randperm(len(seeds_of_all), device=device)
        for seeds in seeds_of_all[order].split(options.batch):
            edges, seen, frontier = [], seeds, seeds
            for fanout in fanouts:
                edges.append(drawn(frontier, fanout))
                reached = torch.unique(edges[-1][0])
                frontier = reached[~torch.isin(reached, seen)]
                seen = torch.cat([seen, frontier])
            nodes = torch.unique(seen)
            yield nodes, torch.searchsorted(nodes, torch.cat(edges, 1)), torch.searchsorted(nodes, seeds)

    return batches


has_loader = getattr(found, "WITH_PYG_LIB", False) or getattr(found, "WITH_TORCH_SPARSE", False)
batches = batches_of_pyg() if has_loader else batches_of_torch()
model = Sage(meta["features"], 256, meta["classes"], len(fanouts)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
sampling = "NeighborLoader" if has_loader else "torch, on the device"
tell(torch=torch.__version__, pyg=torch_geometric.__version__, device=str(device), sampling=sampling)

for epoch in range(options.epochs):
    start = time.perf_counter()
    num_batches, total = 0, torch.zeros((), device=device)
    for nodes, edge_index, seeds in batches():
        out = model(features[nodes], edge_index)[seeds]
        loss = torch.nn.functional.cross_entropy(out, labels[nodes[seeds]])
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
