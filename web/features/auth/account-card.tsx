import type { ReactNode } from "react";
import mark from "../../assets/mark.svg";

type Props = { title: string; subtitle?: string; footer: ReactNode; children: ReactNode };

export function AccountCard({ title, subtitle, footer, children }: Props) {
  return (
    <div className="account">
      <div className="card account-card">
        <header>
          <img src={mark} alt="" />
          <h1>{title}</h1>
          {subtitle && <p className="soft">{subtitle}</p>}
        </header>
        {children}
        {footer && <footer>{footer}</footer>}
      </div>
    </div>
  );
}
