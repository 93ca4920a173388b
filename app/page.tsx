export default function Page() {
  return <h1>Backstop</h1>;
}
