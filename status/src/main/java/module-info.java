/** Statuses with details, as {@code google.rpc.Status}. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // neither protobuf-java nor the published messages have a descriptor
module dev.gannet.status {
  requires transitive com.google.protobuf;
  requires transitive dev.gannet.api;
  requires transitive proto.google.common.protos;
  requires static org.jspecify;

  exports dev.gannet.status;
}
