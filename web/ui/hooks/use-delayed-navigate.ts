import { useEffect, useRef } from "react";
import { useLocation } from "wouter";

/** Navigates to a path after a delay in ms, unless the component is unmounted before. */
export const useDelayedNavigate = () => {
  const [, navigate] = useLocation();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (path: string, after: number) => {
    timer.current = setTimeout(() => navigate(path), after);
  };
};
