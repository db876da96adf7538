import { type Pack } from '../../domain/compliance/pack.js';
import { registersOfPacks, useOfRegister } from '../../domain/compliance/register-use.js';
import { type RegisterResource } from '../../registers/registers.service.js';
import { count, timeIn } from '../design/local-time.js';
import { Badge } from '../frame/controls.js';
import { type Frame } from '../frame/page-frame.service.js';
import { daysText } from '../settings/setting-words.js';

const DAY_SECONDS = 86_400;

interface RegistersProps {
  frame: Frame;
  registers: RegisterResource[];
  packs: readonly Pack[];
}

/** The public registers in force, how old their lists are, and for the rules of which packs they are too old. */
export function RegistersSection({ frame: { zone }, registers, packs }: RegistersProps) {
  const imported = new Set(registers.map(({ register }) => register));
  const missing = registersOfPacks(packs).filter((register) => !imported.has(register));
  return (
    <section class="card" id="registers">
      <h2>Registers</h2>
      {registers.length === 0 ? (
        <p class="soft">
          No public register was imported: <code>npm run cli -- register import</code>
        </p>
      ) : (
        <div class="scroll">
          <table class="stack">
            <thead>
              <tr>
                <th>Register</th>
                <th class="number">Version</th>
                <th>As of</th>
                <th class="number">Numbers</th>
                <th class="number">Age</th>
                <th>Packs</th>
              </tr>
            </thead>
            {registers.map((register) => (
              <tr data-register={register.register}>
                <td>
                  <b>{register.register}</b>
                  {register.areas !== null && (
                    <span class="soft small"> of {count(register.areas)} area codes</span>
                  )}
                </td>
                <td class="number" data-name="Version">
                  {register.version}
                </td>
                <td data-name="As of">{timeIn(zone, register.asOf)}</td>
                <td class="number" data-name="Numbers">
                  {count(register.numbers)}
                </td>
                <td class="number" data-name="Age">
                  {daysText(Math.floor(register.ageSeconds / DAY_SECONDS))}
                </td>
                <td data-name="Packs">
                  <ReadBy packs={packs} register={register} />
                </td>
              </tr>
            ))}
          </table>
        </div>
      )}
      {missing.length > 0 && (
        <p class="soft small">
          Packs read these registers, which are not imported:{' '}
          {missing
            .map((register) => `${register} (${useOfRegister(packs, register, null).readBy.join(', ')})`)
            .join(', ')}
          . A team that enforces one of these packs cannot call in its jurisdiction.
        </p>
      )}
    </section>
  );
}

function ReadBy({ packs, register }: { packs: readonly Pack[]; register: RegisterResource }) {
  const { readBy, staleFor } = useOfRegister(packs, register.register, register.ageSeconds);
  if (readBy.length === 0) return <>none</>;
  return (
    <>
      {readBy.join(', ')} {staleFor.length > 0 && <Badge mood="bad">too old for {staleFor.join(', ')}</Badge>}
    </>
  );
}
