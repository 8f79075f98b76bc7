import { headProductsSuite } from "../conformance/head-products.suite.ts";

headProductsSuite("cpu");
headProductsSuite("native");
