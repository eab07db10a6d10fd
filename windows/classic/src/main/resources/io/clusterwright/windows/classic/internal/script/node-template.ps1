# Imports the node template of HPC Pack, unless it exists.
function Invoke-BurstNodeTemplate {
    if (Get-HpcNodeTemplate -Name $NodeTemplate -ErrorAction SilentlyContinue) { return }
    if (-not (Test-Path -LiteralPath $NodeTemplateFile)) { throw "there is no node template $NodeTemplate and no file $NodeTemplateFile. No cmdlet makes a template of Azure nodes: make it in the Create Node Template wizard, export it with Export-HpcNodeTemplate, and give the file as -NodeTemplateFile." }
    if ([IO.Path]::GetFileNameWithoutExtension($NodeTemplateFile) -ne $NodeTemplate) { throw "the file's name becomes the template's name: call it $NodeTemplate.xml" }
    Import-HpcNodeTemplate -Path $NodeTemplateFile
}

