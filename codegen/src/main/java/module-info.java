/** The protoc plug-in that writes Gannet's stubs. */
module dev.gannet.codegen {
  requires com.google.protobuf;
  requires static org.jspecify;
}
