import { useEffect, useRef } from "react";
import { useLocation } from "wouter";

/** Goes to another screen after a while, unless this one is left first. */
export const useDelayedNavigate = () => {
  const [, navigate] = useLocation();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (path: string, after: number) => {
    timer.current = setTimeout(() => navigate(path), after);
  };
};
