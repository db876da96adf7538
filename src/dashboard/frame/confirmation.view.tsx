import { type ComponentChildren } from 'preact';
import { PostForm } from './controls.js';
import { Layout } from './layout.js';
import { type Frame } from './page-frame.service.js';

interface ConfirmationPageProps {
  frame: Frame;
  /** The id of the card. */
  id: string;
  title: string;
  question: ComponentChildren;
  /** The id of what the change is made to. */
  subject: string;
  /** The address to which the form is sent. */
  action: string;
  /** The button, and the hidden fields beside it. */
  answer: ComponentChildren;
  /** What the change does. */
  children: ComponentChildren;
}

/**
 * The confirmation page of a change that cannot be undone. "No" leads to the frame's own page, and so does
 * the form.
 */
export function ConfirmationPage(props: ConfirmationPageProps) {
  const { frame, id, title, question, subject, action, answer, children } = props;
  return (
    <Layout frame={frame} section={null} title={title}>
      <h1>{question}</h1>
      <p class="soft small">{subject}</p>
      <section class="card" id={id}>
        {children}
        <PostForm frame={frame} action={action}>
          {answer}
        </PostForm>
        <p>
          <a href={frame.request.self}>No, back</a>
        </p>
      </section>
    </Layout>
  );
}
