import { IsEmail, IsOptional, IsString } from 'class-validator';

/** What a request of the benchmark has in its body, besides variables. */
export class TriggerBody {
  @IsString()
  phoneNumber: string;

  @IsOptional()
  @IsString()
  name?: string;

  @IsOptional()
  @IsEmail()
  email?: string;
}
