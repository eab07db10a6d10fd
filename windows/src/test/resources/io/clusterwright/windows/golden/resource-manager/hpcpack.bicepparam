// Cluster hpc1 by the templates of Azure/hpcpack-template, folder Bicep; compute nodes are numbered from 000 there.
using 'new-1hn-wincn-ad.bicep'

param hpcPackRelease = '2019 Update 3'
param clusterName = 'hpc1'
param domainName = 'hpc.local'
param headNodeOS = 'WindowsServer2019'
param headNodeVMSize = 'Standard_DS4_v2'
param computeNodeNamePrefix = 'HPCCN-'
param computeNodeNumber = 4
param computeNodeImage = 'WindowsServer2019_Gen2'
param computeNodeVMSize = 'Standard_HB120rs_v3'
param availabilitySetOption = 'ComputeNodes'
param adminUsername = 'hpcadmin'
param adminPassword = readEnvironmentVariable('HPC_ADMIN_PASSWORD')
param createPublicIPAddressForHeadNode = 'Yes'
param useSpotInstanceForComputeNodes = 'No'
param autoInstallInfiniBandDriver = 'Yes'
