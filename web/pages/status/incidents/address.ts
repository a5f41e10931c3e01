import { useLocation } from "wouter";

/** Returns the relative address of a path of this page at the hub. At an own domain, the page is at the root. */
export const useAddress = () => {
  const [location] = useLocation();
  const isAtHub = location.startsWith("/status");
  return (path = "") => `.${isAtHub ? path : path.replace(/^\/status\/[^/]+/, "")}`;
};
