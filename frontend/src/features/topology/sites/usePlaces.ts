import { t } from "@lingui/core/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { siteUpdate } from "@/api/callsElements";
import { keys } from "@/api/keys";
import type { Site } from "@/api/types";
import type { Place } from "./geography";

/** Keys that move a site store its place after this pause. */
const REST_MS = 600;

type Places = Readonly<Record<string, Place>>;

const without = (places: Places, siteId: string): Places =>
  Object.fromEntries(Object.entries(places).filter(([id]) => id !== siteId));

/**
 * Moved sites whose places are not stored yet. Keys: id of the site. `move` stores a place when the site was dropped
 * or no key moves it any more; `propose` and `withdraw` are for a place that waits for the user.
 */
export function usePlaces() {
  const client = useQueryClient();
  const [places, setPlaces] = useState<Places>({});
  const moving = useRef(new Map<string, { timer: ReturnType<typeof setTimeout>; place: Place }>());
  function rest(siteId: string) {
    clearTimeout(moving.current.get(siteId)?.timer);
    moving.current.delete(siteId);
  }
  function withdraw(siteId: string) {
    rest(siteId);
    setPlaces((present) => without(present, siteId));
  }
  const storing = useMutation({
    scope: { id: "places of sites" },
    mutationFn: ({ siteId, place }: { siteId: string; place: Place }) => {
      // The change before this one has created a newer version than the drawn one.
      const site = client.getQueryData<Site[]>(keys.sites)?.find(({ id }) => id === siteId);
      if (!site) throw new Error(t`The site no longer exists.`);
      return siteUpdate(siteId, { name: site.name, ...place }, site.version);
    },
    onSuccess: async (stored) => {
      // A read that began before the change would restore the old version.
      await client.cancelQueries({ queryKey: keys.sites });
      client.setQueryData<Site[]>(keys.sites, (sites) =>
        sites?.map((site) => (site.id === stored.id && site.version <= stored.version ? stored : site)),
      );
      void client.invalidateQueries({ queryKey: keys.sites });
    },
    // The next change needs the present version, so this waits.
    onError: () => client.invalidateQueries({ queryKey: keys.sites }),
    onSettled: (_stored, _error, { siteId, place }) =>
      // The site may have been moved again.
      setPlaces((present) => (present[siteId] === place ? without(present, siteId) : present)),
  });
  const { mutate } = storing;
  useEffect(() => {
    const unsent = moving.current;
    return () => {
      for (const [siteId, { timer, place }] of unsent) {
        clearTimeout(timer);
        mutate({ siteId, place });
      }
      unsent.clear();
    };
  }, [mutate]);
  const propose = (siteId: string, place: Place) => setPlaces((present) => ({ ...present, [siteId]: place }));
  function store(siteId: string, place: Place) {
    rest(siteId);
    mutate({ siteId, place });
  }
  function move(siteId: string, place: Place, dropped: boolean) {
    propose(siteId, place);
    rest(siteId);
    if (dropped) store(siteId, place);
    else moving.current.set(siteId, { place, timer: setTimeout(() => store(siteId, place), REST_MS) });
  }
  return { places, error: storing.error, move, propose, store, withdraw };
}
