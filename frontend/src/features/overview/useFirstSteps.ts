import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { firstStepsUpdate, frameKeys, frameQueries } from "@/api/frame";

export function useFirstStepsUpdate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: firstStepsUpdate,
    onSuccess: (steps) => client.setQueryData(frameKeys.firstSteps, steps),
  });
}

/** Viewing an element is one of the first steps. */
export function useElementViewed() {
  const { data } = useQuery({ ...frameQueries.firstSteps(), staleTime: Infinity });
  const { mutate } = useFirstStepsUpdate();
  const isOpen = data?.steps.some(({ name, doneAt }) => name === "VIEW_ELEMENT" && doneAt === null) ?? false;
  useEffect(() => {
    if (isOpen) mutate({ elementViewed: true });
  }, [isOpen, mutate]);
}
