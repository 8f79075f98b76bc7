import { Anchor, Code, Group, List, Stack, Text } from "@mantine/core";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useCallback } from "react";
import { useMutation, useQuery } from "urql";
import { ConfusionMatrix } from "../components/ConfusionMatrix/ConfusionMatrix.tsx";
import { CopyId } from "../components/CopyButton/CopyButton.tsx";
import { DeleteMenu } from "../components/DeleteMenu/DeleteMenu.tsx";
import { DownloadButton } from "../components/DownloadButton/DownloadButton.tsx";
import { Facts } from "../components/Facts/Facts.tsx";
import { ApplyModel } from "../components/Models/ApplyModel.tsx";
import { StageSelect } from "../components/Models/StageSelect.tsx";
import { NewNodes } from "../components/NewNodes/NewNodes.tsx";
import { NodeLookup } from "../components/NodeLookup/NodeLookup.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { ReliabilityDiagram } from "../components/ReliabilityDiagram/ReliabilityDiagram.tsx";
import { calibrationOf } from "../services/calibration.ts";
import { confusionOf } from "../services/confusion.ts";
import { deleteModelVersionMutation, modelCardQuery } from "../services/documents/models.ts";
import { formatBytes, formatCount, formatDateTime } from "../services/format.ts";
import type { ResultOf } from "../services/graphql.ts";
import { metricsOf } from "../services/metrics.ts";
import { weightsOf } from "../services/model-weights.ts";

type Card = ResultOf<typeof modelCardQuery>["modelCard"];
type CardProps = { readonly card: Card };

/** The card of a version: what it was made of, how good it is, what it can be applied to. */
export function ModelVersionPage() {
  const { versionId } = useParams({ from: "/shell/models/$versionId" });
  const [state, refetch] = useQuery({ query: modelCardQuery, variables: { version: versionId } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  return (
    <QueryView state={state} onRetry={refresh} shape="facts">
      {({ modelCard: card }) => (
        <>
          <PageHeader
            title={card.version.ref}
            badge={<StageSelect version={card.version} onChanged={refresh} />}
            help={<Subtitle card={card} />}
            actions={<Actions card={card} />}
          />
          <Stack gap="lg">
            <Result card={card} />
            <TrainedOn card={card} />
            <Weights card={card} />
            <Mistakes card={card} />
            <Trust card={card} />
            <NodeLookup rows={{ model: card.version.modelId, number: card.version.number }} />
            <NewNodes rows={{ model: card.version.modelId, number: card.version.number }} graph={card.trainedOn} />
            <UsedBy card={card} />
          </Stack>
        </>
      )}
    </QueryView>
  );
}

function Subtitle({ card: { version } }: CardProps) {
  const { id, jobId, isUploaded, createdBy, createdAt, note } = version;
  return (
    <Group gap="md" fz="sm" className="num">
      <CopyId name="version id" value={id} />
      {isUploaded && <span>uploaded by {createdBy}</span>}
      {jobId && <JobLink jobId={jobId}>{isUploaded ? "The job that looked at it" : "The job that trained it"}</JobLink>}
      <span>kept {formatDateTime(createdAt)}</span>
      {note && <span>{note}</span>}
    </Group>
  );
}

function JobLink({ jobId, children }: { readonly jobId: string; readonly children: string }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/jobs/$jobId" params={{ jobId }} />}>
      {children}
    </Anchor>
  );
}

function Actions({ card: { version } }: CardProps) {
  const navigate = useNavigate();
  const [{ fetching, error }, remove] = useMutation(deleteModelVersionMutation);
  const confirm = async () => {
    const answer = await remove({ id: version.id });
    if (answer.data) await navigate({ to: "/models" });
  };
  return (
    <>
      <ApplyModel version={version} />
      <DeleteMenu what="version" name={version.ref} error={error} isBusy={fetching} onDelete={() => void confirm()}>
        The version goes from the list. A job that applies it goes on to its end, and the job that trained it keeps its
        own copy.
      </DeleteMenu>
    </>
  );
}

function Result({ card: { version, files } }: CardProps) {
  const splits = metricsOf(version.metrics, null);
  return (
    <Panel
      title="Result"
      help="The figures of the training job."
      aside={
        <Group gap="xs">
          {files.map((file) => (
            <DownloadButton key={file.name} label={file.name} ready {...file} />
          ))}
        </Group>
      }
    >
      {splits.map(({ split, metrics }) => (
        <Facts key={split} facts={metrics.map(({ name, text }) => ({ label: name, value: text }))} />
      ))}
      <Facts
        facts={[
          { label: "Model", value: version.modelType },
          { label: "Size", value: formatBytes(version.bytes) },
        ]}
      />
    </Panel>
  );
}

function TrainedOn({ card: { version, trainedOn } }: CardProps) {
  const { features, classes, directed, hasWeights } = trainedOn;
  const [datasetId = ""] = version.dataset.split("@");
  return (
    <Panel
      title="Trained on"
      help="A graph that it is applied to has the same feature columns, kinds of nodes and edges, and direction."
      aside={
        version.isUploaded ? (
          <Text size="sm">{version.datasetName || version.dataset}</Text>
        ) : (
          <Anchor
            size="sm"
            renderRoot={(props) => <Link {...props} to="/datasets/$datasetId" params={{ datasetId }} />}
          >
            {version.datasetName || version.dataset}
          </Anchor>
        )
      }
    >
      <Facts
        facts={[
          { label: "Nodes", value: formatCount(trainedOn.numNodes) },
          { label: "Edges", value: formatCount(trainedOn.numEdges) },
          { label: "Features", value: `${features.dim}, ${features.kind === "csr" ? "sparse" : features.kind}` },
          { label: "Direction", value: directed ? "directed" : "undirected" },
          { label: "Weights of edges", value: hasWeights ? "yes" : "no" },
        ]}
      />
      {classes.length > 0 && <Text size="sm">Classes: {classes.slice(0, 20).join(", ")}</Text>}
      {features.columns && (
        <Text size="sm">
          Feature columns: <Code>{features.columns.slice(0, 20).join(", ")}</Code>
        </Text>
      )}
    </Panel>
  );
}

/** By these names a training that starts from the version freezes layers. */
function Weights({ card: { info } }: CardProps) {
  const weights = weightsOf(info);
  if (weights.length === 0) return null;
  const parameters = weights.reduce((sum, { size }) => sum + size, 0);
  return (
    <Panel title="Weights" help="A training that starts from this version can freeze layers by these names.">
      <Facts facts={[{ label: "Parameters", value: formatCount(parameters) }]} />
      <Text size="sm">
        <Code>{weights.map(({ name, shape }) => `${name} (${shape})`).join(", ")}</Code>
      </Text>
    </Panel>
  );
}

function Mistakes({ card }: CardProps) {
  const confusion = confusionOf(card.info);
  if (!confusion) return null;
  return (
    <Panel title="Mistakes" help="Which classes the model takes for which.">
      <ConfusionMatrix confusion={confusion} />
    </Panel>
  );
}

function Trust({ card }: CardProps) {
  const calibration = calibrationOf(card.info);
  if (!calibration) return null;
  return (
    <Panel title="Calibration" help="Whether the model is right as often as it says.">
      <ReliabilityDiagram calibration={calibration} />
    </Panel>
  );
}

function UsedBy({ card: { usedBy } }: CardProps) {
  if (usedBy.length === 0) return null;
  return (
    <Panel title="Applied or trained on by">
      <List size="sm">
        {usedBy.map((jobId) => (
          <List.Item key={jobId}>
            <JobLink jobId={jobId}>{jobId}</JobLink>
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}
