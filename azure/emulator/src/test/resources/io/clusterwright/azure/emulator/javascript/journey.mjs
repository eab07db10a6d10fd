// Uses an emulator through Microsoft's clients: URL SUBSCRIPTION. Prints what was seen, as JSON.
import { ComputeManagementClient } from '@azure/arm-compute';
import { NetworkManagementClient } from '@azure/arm-network';
import { ResourceManagementClient } from '@azure/arm-resources';
import { DeploymentsClient } from '@azure/arm-resourcesdeployments';

const [endpoint, subscription] = process.argv.slice(2);
const credential = { getToken: async () => ({ token: 'none', expiresOnTimestamp: Date.now() + 3600_000 }) };

// Plain http on loopback: the clients send no token over it, and ask to be told that this is meant.
function client(Type) {
  const made = new Type(credential, subscription, { endpoint, allowInsecureConnection: true });
  made.pipeline.removePolicy({ name: 'bearerTokenAuthenticationPolicy' });
  return made;
}

const resources = client(ResourceManagementClient);
const compute = client(ComputeManagementClient);
const network = client(NetworkManagementClient);
const deployments = client(DeploymentsClient).deployments;

const group = 'javascript';
const location = 'westeurope';
const often = { updateIntervalInMs: 20 };
const seen = {};

async function all(pages) {
  const items = [];
  for await (const item of pages) items.push(item);
  return items;
}

async function refusal(call) {
  try {
    await call();
  } catch (e) {
    return { name: e.name, code: e.code, status: e.statusCode, message: e.message, inner: e.details?.error?.code };
  }
  return null;
}

const power = (view) => view.statuses.map((status) => status.code).find((code) => code.startsWith('PowerState/'));

async function groups() {
  const made = await resources.resourceGroups.createOrUpdate(group, { location, tags: { owner: 'tests' } });
  const scope = made.id;
  await resources.tagsOperations.beginUpdateAtScopeAndWait(
    scope,
    { operation: 'Merge', properties: { tags: { stage: 'one' } } },
    often,
  );
  seen.group = {
    state: made.properties.provisioningState,
    exists: (await resources.resourceGroups.checkExistence(group)).body,
    other: (await resources.resourceGroups.checkExistence('nobody')).body,
    tags: (await resources.resourceGroups.get(group)).tags,
    tagsAtScope: (await resources.tagsOperations.getAtScope(scope)).properties.tags,
    tagged: (await all(resources.resourceGroups.list({ filter: "tagName eq 'stage' and tagValue eq 'one'" }))).length,
  };
}

/** What a client gets that is newer than the emulator. */
async function ofALaterClient() {
  const later = client(NetworkManagementClient);
  let version;
  later.pipeline.addPolicy({
    name: 'later',
    sendRequest: (request, next) => {
      const url = new URL(request.url);
      url.searchParams.set('api-version', '2999-01-01');
      request.url = url.href;
      version = url.searchParams.get('api-version');
      return next(request);
    },
  });
  return { name: (await later.virtualNetworks.get(group, 'net')).name, version };
}

async function networks() {
  const vnet = await network.virtualNetworks.beginCreateOrUpdateAndWait(
    group,
    'net',
    {
      location,
      addressSpace: { addressPrefixes: ['10.45.0.0/16'] },
      subnets: [{ name: 'nodes', addressPrefix: '10.45.0.0/24' }],
    },
    often,
  );
  const address = await network.publicIPAddresses.beginCreateOrUpdateAndWait(
    group,
    'address',
    { location, sku: { name: 'Standard' }, publicIPAllocationMethod: 'Static' },
    often,
  );
  const subnet = { id: vnet.subnets[0].id };
  const nics = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      network.networkInterfaces.beginCreateOrUpdateAndWait(
        group,
        name,
        {
          location,
          ipConfigurations: [
            { name: 'ip', subnet, publicIPAddress: name === 'a' ? { id: address.id } : undefined },
          ],
        },
        often,
      ),
    ),
  );
  seen.network = {
    address: address.ipAddress,
    allocated: address.provisioningState,
    privateAddresses: nics.map((nic) => nic.ipConfigurations[0].privateIPAddress).sort(),
    listed: (await all(network.networkInterfaces.list(group))).map((nic) => nic.name).sort(),
    later: await ofALaterClient(),
    usedAddress: (await network.publicIPAddresses.get(group, 'address')).ipConfiguration?.id,
  };
  return { subnet, nics };
}

const profile = (name) => ({
  computerName: name,
  adminUsername: 'hpc',
  linuxConfiguration: {
    disablePasswordAuthentication: true,
    ssh: { publicKeys: [{ path: '/home/hpc/.ssh/authorized_keys', keyData: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g' }] },
  },
});
const imageReference = { publisher: 'microsoft-dsvm', offer: 'ubuntu-hpc', sku: '2204', version: 'latest' };

const machine = (name, nic) => ({
  location,
  hardwareProfile: { vmSize: 'Standard_HB120rs_v3' },
  storageProfile: { imageReference, osDisk: { createOption: 'FromImage', deleteOption: 'Delete' } },
  osProfile: profile(name),
  networkProfile: { networkInterfaces: [{ id: nic.id }] },
});

async function machines(nics) {
  const poller = compute.virtualMachines.createOrUpdate(group, 'a', machine('a', nics[0]), often);
  let progress = 0;
  poller.onProgress(() => progress++);
  const made = await poller.pollUntilDone();
  await compute.virtualMachines.beginCreateOrUpdateAndWait(group, 'b', machine('b', nics[1]), often);
  await compute.virtualMachineExtensions.beginCreateOrUpdateAndWait(
    group,
    'a',
    'script',
    {
      location,
      publisher: 'Microsoft.Azure.Extensions',
      typePropertiesType: 'CustomScript',
      typeHandlerVersion: '2.1',
      settings: { commandToExecute: 'true' },
    },
    often,
  );
  const run = await compute.virtualMachines.beginRunCommandAndWait(
    group,
    'a',
    { commandId: 'RunShellScript', script: ['true'] },
    often,
  );
  const states = [power(await compute.virtualMachines.instanceView(group, 'a'))];
  for (const action of ['beginPowerOffAndWait', 'beginStartAndWait', 'beginRestartAndWait', 'beginDeallocateAndWait']) {
    await compute.virtualMachines[action](group, 'a', often);
    states.push(power(await compute.virtualMachines.instanceView(group, 'a')));
  }
  const updated = await compute.virtualMachines.beginUpdateAndWait(group, 'b', { tags: { role: 'node' } }, often);
  seen.machine = {
    polls: progress > 0 && poller.isDone,
    status: poller.operationState.status,
    state: made.provisioningState,
    id: made.vmId,
    listed: (await all(compute.virtualMachines.list(group))).map((vm) => vm.name),
    everywhere: (await all(compute.virtualMachines.listAll())).length,
    states,
    run: run.value.map((status) => status.code),
    extension: (await compute.virtualMachineExtensions.get(group, 'a', 'script')).provisioningState,
    tags: updated.tags,
    expanded: power((await compute.virtualMachines.get(group, 'b', { expand: 'instanceView' })).instanceView),
  };
  await compute.virtualMachines.generalize(group, 'a');
  const image = await compute.images.beginCreateOrUpdateAndWait(
    group,
    'captured',
    { location, sourceVirtualMachine: { id: made.id }, hyperVGeneration: 'V2' },
    often,
  );
  seen.image = { state: image.provisioningState, os: image.storageProfile.osDisk.osType };
}

async function scaleSets(subnet) {
  const sets = compute.virtualMachineScaleSets;
  const made = await sets.beginCreateOrUpdateAndWait(
    group,
    'set',
    {
      location,
      sku: { name: 'Standard_HB120rs_v3', capacity: 3 },
      overprovision: false,
      singlePlacementGroup: true,
      upgradePolicy: { mode: 'Manual' },
      virtualMachineProfile: {
        storageProfile: { imageReference },
        osProfile: { ...profile(), computerName: undefined, computerNamePrefix: 'node' },
        networkProfile: {
          networkInterfaceConfigurations: [
            { name: 'nic', primary: true, ipConfigurations: [{ name: 'ip', subnet }] },
          ],
        },
      },
    },
    often,
  );
  const instances = await all(compute.virtualMachineScaleSetVMs.list(group, 'set'));
  await sets.beginDeallocateAndWait(group, 'set', { vmInstanceIDs: { instanceIds: ['1'] }, ...often });
  const view = await compute.virtualMachineScaleSetVMs.getInstanceView(group, 'set', '1');
  await sets.beginDeleteInstancesAndWait(group, 'set', { instanceIds: ['0'] }, often);
  const grown = await sets.beginUpdateAndWait(group, 'set', { sku: { name: 'Standard_HB120rs_v3', capacity: 4 } }, often);
  seen.scaleSet = {
    state: made.provisioningState,
    names: instances.map((instance) => instance.osProfile.computerName),
    stopped: power(view),
    summary: (await sets.getInstanceView(group, 'set')).virtualMachine.statusesSummary.map((each) => each.code),
    interfaces: (await all(network.networkInterfaces.listVirtualMachineScaleSetNetworkInterfaces(group, 'set'))).length,
    capacity: grown.sku.capacity,
    after: (await all(compute.virtualMachineScaleSetVMs.list(group, 'set'))).map((instance) => instance.instanceId),
  };
}

async function templates() {
  const template = {
    $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
    contentVersion: '1.0.0.0',
    parameters: { name: { type: 'string' } },
    resources: [
      {
        type: 'Microsoft.Compute/availabilitySets',
        apiVersion: '2024-07-01',
        name: "[parameters('name')]",
        location: '[resourceGroup().location]',
        sku: { name: 'Aligned' },
        properties: { platformFaultDomainCount: 2, platformUpdateDomainCount: 5 },
      },
    ],
    outputs: { id: { type: 'string', value: "[resourceId('Microsoft.Compute/availabilitySets', parameters('name'))]" } },
  };
  const properties = { mode: 'Incremental', template, parameters: { name: { value: 'near' } } };
  await deployments.beginValidateAndWait(group, 'deployed', { properties }, often);
  const made = await deployments.beginCreateOrUpdateAndWait(group, 'deployed', { properties }, often);
  seen.deployment = {
    state: made.properties.provisioningState,
    output: made.properties.outputs.id.value,
    sets: (await all(compute.availabilitySets.list(group))).map((set) => set.platformFaultDomainCount),
    exists: (await deployments.checkExistence(group, 'deployed')).body,
    listed: (await all(deployments.listByResourceGroup(group))).length,
    refused: await refusal(() =>
      deployments.beginCreateOrUpdateAndWait(
        group,
        'wrong',
        { properties: { ...properties, parameters: {} } },
        often,
      ),
    ),
  };
}

async function refusals(nics) {
  seen.refusals = {
    absent: await refusal(() => compute.virtualMachines.get(group, 'nobody')),
    absentGroup: await refusal(() => network.virtualNetworks.get('nobody', 'net')),
    inUse: await refusal(() => network.networkInterfaces.beginDeleteAndWait(group, 'b', often)),
    size: await refusal(() =>
      compute.virtualMachines.beginCreateOrUpdateAndWait(
        group,
        'c',
        { ...machine('c', nics[2]), hardwareProfile: { vmSize: 'Standard_None' } },
        often,
      ),
    ),
    // The fault script lets this one's operation fail, long after its request was accepted.
    allocation: await refusal(() =>
      compute.virtualMachines.createOrUpdate(group, 'unlucky', machine('unlucky', nics[2]), often).pollUntilDone(),
    ),
  };
}

/** The names in the group once the list, which lags behind, no longer has this one; after a while as they are. */
async function namesWithout(deleted) {
  let names = [];
  for (let tries = 0; tries < 100; tries++) {
    names = (await all(resources.resources.listByResourceGroup(group))).map((each) => each.name).sort();
    if (!names.includes(deleted)) break;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  return names;
}

async function deletes() {
  await compute.virtualMachines.beginDeleteAndWait(group, 'b', often);
  await network.networkInterfaces.beginDeleteAndWait(group, 'b', often);
  await compute.virtualMachineScaleSets.beginDeleteAndWait(group, 'set', often);
  seen.left = await namesWithout('set');
  await resources.resourceGroups.beginDeleteAndWait(group, often);
  seen.after = (await resources.resourceGroups.checkExistence(group)).body;
}

await groups();
const { subnet, nics } = await networks();
await machines(nics);
await scaleSets(subnet);
await templates();
await refusals(nics);
await deletes();
console.log(JSON.stringify(seen));
