import { pathMapOption, serverAddressOption, textOption, type OptionShape, type TextOption } from './option-kinds.ts'

type AcquirerOption = 'url' | 'api_key' | 'quality_profile' | 'root_folder' | 'path_map'

type AcquirerOptions<Name extends string> = Record<
  `acquisition.${Name}.${Exclude<AcquirerOption, 'path_map'>}`,
  OptionShape<string | undefined> & { readonly type: 'text' }
> &
  Record<`acquisition.${Name}.path_map`, OptionShape<string> & { readonly type: 'text' }>

/** The same five options for Radarr and Sonarr. */
export function acquirerOptions<const Name extends string>(name: Name, title: string): AcquirerOptions<Name> {
  const env = (option: AcquirerOption): string[] => [`PHLIX_${name}_${option}`.toUpperCase()]
  const rows: Record<AcquirerOption, TextOption> = {
    url: serverAddressOption({
      env: env('url'),
      doc: `Address of ${title}, with its URL base. Unset: ${title} is not used.`,
    }),
    api_key: textOption(undefined, {
      env: env('api_key'),
      secret: true,
      doc: `API key of ${title} (Settings, General, Security).`,
    }),
    quality_profile: textOption(undefined, {
      env: env('quality_profile'),
      doc: `Name or id of the quality profile of added titles. Unset: the first profile.`,
    }),
    root_folder: textOption(undefined, {
      env: env('root_folder'),
      doc: `Root folder of added titles, as ${title} names it. Unset: the first folder that it can write to.`,
    }),
    path_map: pathMapOption({
      env: env('path_map'),
      doc: `Paths on this machine for folders of ${title}: \`REMOTE=LOCAL\` pairs, separated by commas. Only needed if it runs on another machine.`,
    }),
  }
  return Object.fromEntries(
    Object.entries(rows).map(([option, row]) => [`acquisition.${name}.${option}`, row]),
  ) as AcquirerOptions<Name>
}
