import { t } from "@lingui/core/macro";
import type { PlanSetting } from "@/api/types";

const ORIGIN: Record<PlanSetting["origin"], string> = {
  request: t`your choice`,
  profile: t`by profile`,
  cloud: t`by cloud`,
  package: t`package's default`,
};

export const originText = (origin: PlanSetting["origin"]): string => ORIGIN[origin];
